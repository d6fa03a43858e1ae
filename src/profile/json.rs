//! JSON values with their mistakes kept: the layer between `serde_json` and the schema.
