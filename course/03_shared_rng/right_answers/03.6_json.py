# exercise: 03.6
# mechanism: as JSON with sorted keys
import json


def reproduced(run, wanted):
    return json.dumps(run, sort_keys=True) == json.dumps(wanted, sort_keys=True)
