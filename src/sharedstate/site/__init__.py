"""The reading site: lessons, documents and API as pages, with boxes that run the explorer in the reader's browser.

`layout` writes what Sphinx reads, `lesson` adapts an executed lesson, `boxes` cuts a program out of a lesson,
`render` calls Sphinx, `vendored` adds Python for the browser, and `desk` is what runs there.
"""
