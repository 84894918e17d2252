// replaced by the first file of StrictYAML
