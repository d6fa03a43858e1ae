// libpwp_sim from Node: Gelu of an array by the hardware's table and exactly, and an error's text.
//
//   npm install && PWP_SIM_LIBRARY=../../../target/release/libpwp_sim.so node gelu.js
//
// Prints the bits of the results, as capi-tests/examples/go does: capi-tests/examples/languages.sh compares.
'use strict';

const koffi = require('koffi');

const library = koffi.load(process.env.PWP_SIM_LIBRARY || 'libpwp_sim.so');
koffi.opaque('pwp_sim');
koffi.struct('pwp_sim_affine', { scale: 'float', bias: 'float', alpha: 'float' });

const create = library.func('int pwp_sim_create(const char *profile_dir, _Out_ pwp_sim **out)');
const destroy = library.func('void pwp_sim_destroy(pwp_sim *sim)');
const lastError = library.func('const char *pwp_sim_last_error()');
const fromAnyName = library.func('int pwp_sim_function_from_any_name(const char *name, _Out_ int32_t *out)');
const apply = library.func(
  'int pwp_sim_apply(const pwp_sim *sim, int32_t function, const pwp_sim_affine *affine, _Out_ float *out, ' +
    'const float *in, size_t count, bool use_pwp)',
);

// The text is the calling thread's: ask for it before another call, and not by koffi's asynchronous calls.
function check(status) {
  if (status !== 0) throw new Error(lastError());
}

function open(source) {
  const out = [null];
  check(create(source, out));
  return out[0];
}

function functionOf(name) {
  const out = [0];
  check(fromAnyName(name, out));
  return out[0];
}

// f(scale * x + bias) of a Float32Array, as a new one.
function call(sim, name, x, { scale = 1, bias = 0, alpha = 0, table = true } = {}) {
  const out = new Float32Array(x.length);
  check(apply(sim, functionOf(name), { scale, bias, alpha }, out, x, x.length, table));
  return out;
}

function bits(array) {
  return [...new Uint32Array(array.buffer)].map((word) => word.toString(16).padStart(8, '0')).join(' ');
}

const sim = open('builtin:');
try {
  const x = Float32Array.of(-1, 0.5, 2);
  console.log('table', bits(call(sim, 'gelu', x)));
  console.log('exact', bits(call(sim, 'gelu', x, { table: false })));
  console.log('scaled', bits(call(sim, 'gelu', x, { scale: 0.5, bias: 1 })));
  try {
    call(sim, 'gleu', x);
  } catch (error) {
    console.log('error', error.message);
  }
} finally {
  destroy(sim);
}
