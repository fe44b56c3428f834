"""A model to start from: it prefers short clips. docs/design/recommendations.md lists the features."""
from mlserver import MLModel
from mlserver.codecs import NumpyCodec
from mlserver.types import InferenceRequest, InferenceResponse

DURATION = 9  # The column of duration_seconds.


class ShortClips(MLModel):
    async def predict(self, payload: InferenceRequest) -> InferenceResponse:
        features = NumpyCodec.decode_input(payload.inputs[0])
        scores = NumpyCodec.encode_output("scores", -features[:, DURATION])
        return InferenceResponse(model_name=self.name, outputs=[scores])
