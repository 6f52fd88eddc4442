"""Lens: the creature lets go of where it has been, and comes to rest."""

from agents.basic_agent import BasicAgent


class SettleAgent(BasicAgent):
    name = "Settle"
    metadata = {
        "name": "Settle",
        "description": (
            "Let the creature come to rest and let go of the way it came. Use this when a chase or a visit is "
            "over, or when too much has gathered behind it: the string of beads is gone from then on and is "
            "not carried any further. Its memories stay. If you want the trail kept, use Drift or Temper "
            "instead."
        ),
        "parameters": {
            "type": "object",
            "properties": {
                "calm": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": 100,
                    "x-rest": 40,
                    "description": (
                        "How far it calms down, in percent. 0 only drops the trail, 40 breathes out, 100 "
                        "falls asleep where it is."
                    ),
                },
            },
            "required": ["calm"],
        },
    }

    def perform(self, calm):
        creature = self.context.object
        temper = creature["temper"]
        energy = temper["energy"] * (100 - calm) // 100
        mood = "calm" if calm >= 30 else temper["mood"]
        creature["temper"] = {"mood": mood, "energy": energy, "hue": temper["hue"]}
        at = creature["at"]
        creature["at"] = {"x": at["x"], "y": at["y"], "z": at["z"] * (100 - calm) // 100}
        creature["trail"] = []
        creature["age"] = creature["age"] + 1
        return {"object": creature, "data_slush": {}}
