"""Code that all programs share: the declarative spec, the argument parser, files, processes, the head lines."""
