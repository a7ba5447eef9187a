"""Generates the parts of the documentation site that come from the code, and contains MkDocs' hooks.

`python -m docsite` prints the generated parts as JSON. Their keys are the names in `<!-- reference: NAME -->` of pages.
`hooks` inserts them while MkDocs builds the site, in an environment without our packages.
"""
