"""Wrong answers to exercise 11.3: why each is rejected, whether it passes the lab's example, its story."""

# %% leaves-it | visible: no | a setting that was not there becomes None
def borrowed(settings, name, value, job):
    before = settings.get(name) if settings.has(name) else None
    settings.put(name, value)
    try:
        return job()
    finally:
        settings.put(name, before)

# %% none-is-a-value | visible: yes | None stands for "not there"
def borrowed(settings, name, value, job):
    before = settings.get(name) if settings.has(name) else None
    settings.put(name, value)
    try:
        return job()
    finally:
        if before is not None:
            settings.put(name, before)
        elif settings.has(name):
            settings.remove(name)

# %% not-after-a-failure | visible: yes | put back when all went well
def borrowed(settings, name, value, job):
    there = settings.has(name)
    before = settings.get(name) if there else None
    settings.put(name, value)
    result = job()
    if there:
        settings.put(name, before)
    elif settings.has(name):
        settings.remove(name)
    return result

# %% trusts-the-job | visible: yes | the job has surely not removed it
def borrowed(settings, name, value, job):
    there = settings.has(name)
    before = settings.get(name) if there else None
    settings.put(name, value)
    try:
        return job()
    finally:
        settings.remove(name)
        if there:
            settings.put(name, before)

# %% loses-the-old | visible: yes | always removed
def borrowed(settings, name, value, job):
    settings.put(name, value)
    try:
        return job()
    finally:
        if settings.has(name):
            settings.remove(name)

# %% swallows | visible: yes | a failure becomes None
def borrowed(settings, name, value, job):
    there = settings.has(name)
    before = settings.get(name) if there else None
    settings.put(name, value)
    result = None
    try:
        result = job()
    except Exception:
        pass
    if there:
        settings.put(name, before)
    elif settings.has(name):
        settings.remove(name)
    return result

# %% trusts-the-job | visible: yes | put back only where it is still one's own
def borrowed(settings, name, value, job):
    there = settings.has(name)
    before = settings.get(name) if there else None
    settings.put(name, value)
    try:
        return job()
    finally:
        if settings.has(name) and settings.get(name) == value:
            if there:
                settings.put(name, before)
            else:
                settings.remove(name)

# %% not-set | visible: no | set only where there was none
def borrowed(settings, name, value, job):
    if settings.has(name):
        settings.put(name, value)
        try:
            return job()
        finally:
            settings.put(name, value)
    return job()

# %% drops-the-result | visible: no | nothing is returned
def borrowed(settings, name, value, job):
    there = settings.has(name)
    before = settings.get(name) if there else None
    settings.put(name, value)
    try:
        job()
    finally:
        if there:
            settings.put(name, before)
        elif settings.has(name):
            settings.remove(name)
