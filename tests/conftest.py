"""In tests, an explanation that fails is a failure."""

import whygrad.view.notice

whygrad.view.notice.strict = True
