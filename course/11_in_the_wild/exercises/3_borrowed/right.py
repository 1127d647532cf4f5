"""Right answers to exercise 11.3, each by another mechanism."""

# %% a sentinel for "not there"
def borrowed(settings, name, value, job):
    missing = object()
    before = settings.get(name) if settings.has(name) else missing
    settings.put(name, value)
    try:
        return job()
    finally:
        if before is not missing:
            settings.put(name, before)
        elif settings.has(name):
            settings.remove(name)

# %% a context manager
from contextlib import contextmanager

@contextmanager
def setting(settings, name, value):
    there, before = settings.has(name), None
    if there:
        before = settings.get(name)
    settings.put(name, value)
    try:
        yield
    finally:
        if there:
            settings.put(name, before)
        else:
            try:
                settings.remove(name)
            except LookupError:
                pass

def borrowed(settings, name, value, job):
    with setting(settings, name, value):
        return job()

# %% a list of what to put back
def borrowed(settings, name, value, job):
    before = []
    try:
        before.append(settings.get(name))
    except LookupError:
        pass
    settings.put(name, value)
    try:
        result = job()
    except BaseException:
        back(settings, name, before)
        raise
    back(settings, name, before)
    return result

def back(settings, name, before):
    for value in before:
        settings.put(name, value)
    if not before and settings.has(name):
        settings.remove(name)
