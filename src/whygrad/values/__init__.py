"""What flows: tensors, variables, dtypes, shapes, conversion and nested structures."""
