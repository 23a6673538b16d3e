"""Pictures, drawn without a screen."""

import os

# A kernel of Jupyter passes on the name of a backend that its own environment has. Importing matplotlib would look for it.
os.environ["MPLBACKEND"] = "Agg"
