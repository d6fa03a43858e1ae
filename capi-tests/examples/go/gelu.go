// libpwp_sim from Go: Gelu of a slice by the hardware's table and exactly, and an error's text.
//
//	CGO_LDFLAGS=-L../../../target/release LD_LIBRARY_PATH=../../../target/release go run .
//
// Prints the bits of the results, as capi-tests/examples/node does: capi-tests/examples/languages.sh compares.
package main

/*
#cgo CFLAGS: -I${SRCDIR}/../../../include
#cgo LDFLAGS: -lpwp_sim
#include <stdlib.h>
#include <pwp_sim.h>
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"unsafe"
)

// Simulator has the tables of one source. Any number of goroutines may use it.
type Simulator struct{ handle *C.pwp_sim }

// Affine is what becomes of an input first: scale * x + bias. Alpha is the slope of Prelu.
type Affine struct{ Scale, Bias, Alpha float32 }

// checked makes a call, and an error of its status. The library keeps the text for the thread that called, so the goroutine
// stays on it until the text is read.
func checked(call func() C.pwp_sim_status) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if call() == C.PWP_SIM_OK {
		return nil
	}
	return errors.New(C.GoString(C.pwp_sim_last_error()))
}

// Open makes a simulator of "builtin:", a directory of profiles, or a set.
func Open(source string) (*Simulator, error) {
	name := C.CString(source)
	defer C.free(unsafe.Pointer(name))
	sim := new(Simulator)
	if err := checked(func() C.pwp_sim_status { return C.pwp_sim_create(name, &sim.handle) }); err != nil {
		return nil, err
	}
	return sim, nil
}

// Close frees it; no call may follow.
func (sim *Simulator) Close() { C.pwp_sim_destroy(sim.handle) }

// Apply is the function of that name, of each element of x, as a new slice.
func (sim *Simulator) Apply(name string, affine Affine, x []float32, table bool) ([]float32, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var function C.pwp_sim_function
	if err := checked(func() C.pwp_sim_status { return C.pwp_sim_function_from_any_name(text, &function) }); err != nil {
		return nil, err
	}
	out := make([]float32, len(x))
	if len(x) == 0 {
		return out, nil
	}
	scaling := C.pwp_sim_affine{scale: C.float(affine.Scale), bias: C.float(affine.Bias), alpha: C.float(affine.Alpha)}
	err := checked(func() C.pwp_sim_status {
		return C.pwp_sim_apply(sim.handle, function, &scaling, (*C.float)(&out[0]), (*C.float)(&x[0]),
			C.size_t(len(x)), C.bool(table))
	})
	return out, err
}

func bits(values []float32) string {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = fmt.Sprintf("%08x", math.Float32bits(value))
	}
	return strings.Join(words, " ")
}

func main() {
	sim, err := Open("builtin:")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer sim.Close()
	x := []float32{-1, 0.5, 2}
	for _, example := range []struct {
		label  string
		affine Affine
		table  bool
	}{
		{"table", Affine{Scale: 1}, true},
		{"exact", Affine{Scale: 1}, false},
		{"scaled", Affine{Scale: 0.5, Bias: 1}, true},
	} {
		y, err := sim.Apply("gelu", example.affine, x, example.table)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(example.label, bits(y))
	}
	if _, err := sim.Apply("gleu", Affine{Scale: 1}, x, true); err != nil {
		fmt.Println("error", err)
	}
}
