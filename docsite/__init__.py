"""The documentation site: the parts of its reference pages that are made of the code, and MkDocs' hooks.

`python -m docsite` prints the generated parts as JSON, by the name that a page gives in `<!-- reference: NAME -->`.
`hooks` puts them there while MkDocs builds the site, in an environment without our packages.
"""
