"""Drives an engine with the official client of OpenAI's API: URL and key are the arguments."""

import base64
import json
import sys
import urllib.request

import openai

url, key = sys.argv[1:]
client = openai.OpenAI(base_url=url, api_key=key, max_retries=0, timeout=20)
prompt = [{"role": "user", "content": "Write one story in German.\nThe hero: Luna"}]


def story(model="good", **wishes):
    return client.chat.completions.create(model=model, messages=prompt, **wishes)


def fails(kind, status, model, code=None, act=story):
    try:
        act(model)
    except kind as error:
        assert error.status_code == status, (model, error.status_code)
        assert code is None or error.code == code, (model, error.code)
        return error
    raise AssertionError(f"{model} did not fail")


assert [model.id for model in client.models.list()] == ["good"]

answer = story(response_format={"type": "json_schema", "json_schema": {"name": "story", "schema": {}}})
assert answer.object == "chat.completion" and answer.usage.total_tokens > 0
choice = answer.choices[0]
assert choice.finish_reason == "stop" and choice.message.role == "assistant"
assert choice.message.refusal is None
assert json.loads(choice.message.content)["title"] == "Der Nachtzug von Luna"

text, reason = "", None
for chunk in story(stream=True):
    assert chunk.object == "chat.completion.chunk"
    text += chunk.choices[0].delta.content or ""
    reason = chunk.choices[0].finish_reason or reason
assert reason == "stop" and json.loads(text)["title"] == "Der Nachtzug von Luna"

assert story("cut").choices[0].finish_reason == "length"
assert story("filtered").choices[0].finish_reason == "content_filter"
refused = story("refusal").choices[0].message
assert refused.refusal and refused.content is None

png = b"\x89PNG"
image = client.images.generate(model="base64", prompt="a cat", size="1024x1024", n=1)
assert image.created and base64.b64decode(image.data[0].b64_json).startswith(png)
image = client.images.generate(model="good", prompt="a cat")
assert urllib.request.urlopen(image.data[0].url).read().startswith(png)

speech = client.audio.speech.create(model="good", voice="alloy", input="Hello", speed=0.9)
assert speech.response.headers["content-type"] == "audio/mpeg"
assert speech.content.startswith(b"\xff\xfb")
speech = client.audio.speech.create(
    model="good", voice="alloy", input="Hello", response_format="wav")
assert speech.content.startswith(b"RIFF")

fails(openai.RateLimitError, 429, "quota", "insufficient_quota")
busy = fails(openai.RateLimitError, 429, "busy", "rate_limit_exceeded")
assert busy.response.headers["retry-after"] == "120"
fails(openai.InternalServerError, 500, "broken")
fails(openai.NotFoundError, 404, "unknown", "model_not_found")
fails(
    openai.BadRequestError, 400, "unsafe", "content_policy_violation",
    lambda model: client.images.generate(model=model, prompt="x"))
try:
    story("dropped")
except openai.APIConnectionError:
    pass
client.api_key = "sk-wrong-key"
fails(openai.AuthenticationError, 401, "good", "invalid_api_key")
print("all understood")
