"""In tests, an explanation that fails is a failure."""

import whygrad.why.notice

whygrad.why.notice.strict = True
