"""Names for the shapes of vectors."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
"""One embedding, shape (dimension,), float32."""
Matrix = NDArray[np.float32]
"""Embeddings, shape (n, dimension), float32."""
