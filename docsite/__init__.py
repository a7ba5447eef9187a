"""Generates the parts of the documentation site that come from the code, and contains MkDocs' hooks.

`python -m docsite` prints the generated parts as JSON, by the name that a page gives in `<!-- reference: NAME -->`.
`hooks` inserts them while MkDocs builds the site, in an environment without our packages.
"""
