"""In tests, an explanation that fails is a failure, and how long something takes is none."""

import hypothesis

import whygrad.view.notice

whygrad.view.notice.strict = True
hypothesis.settings.register_profile("without deadlines", deadline=None)
hypothesis.settings.load_profile("without deadlines")
