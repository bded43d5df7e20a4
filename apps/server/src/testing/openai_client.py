"""Talks to the service with OpenAI's client for Python, and prints what it got as JSON."""

import base64
import json
import os

import openai
from openai import OpenAI
from pydantic import BaseModel

given = json.loads(os.environ["GIVEN"])
client = OpenAI(max_retries=0)
got = {}


class Person(BaseModel):
    name: str
    born: int


def ask(content):
    return {"model": "mirror", "messages": [{"role": "user", "content": content}]}


def name_of_error(act):
    try:
        act()
    except openai.OpenAIError as error:
        return type(error).__name__


parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
tools = [{"type": "function", "function": {"name": "get_weather", "parameters": parameters}}]
flat_tools = [{"type": "function", "name": "get_weather", "parameters": parameters}]

got["text"] = client.chat.completions.create(**ask("Hello there")).choices[0].message.content
chunks = list(
    client.chat.completions.create(**ask("Hello there"), stream=True, stream_options={"include_usage": True})
)
text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
got["stream"] = [text, chunks[-1].usage.total_tokens]

message = client.chat.completions.create(**ask(given["weather"]), tools=tools).choices[0].message
got["tools"] = [call.function.arguments for call in message.tool_calls]
with client.chat.completions.stream(**ask(given["weather"]), tools=tools) as stream:
    message = stream.get_final_completion().choices[0].message
got["streamed_tools"] = [call.function.arguments for call in message.tool_calls]

parsed = client.chat.completions.parse(**ask("Who wrote Faust?"), response_format=Person)
got["parsed"] = isinstance(parsed.choices[0].message.parsed, Person)

content = [{"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": given["pixel"]}}]
got["vision"] = "[image/png" in client.chat.completions.create(**ask(content)).choices[0].message.content

embeddings = client.embeddings.create(model="lexis", input=["A cat", "A dog"]).data
got["embeddings"] = [len(embeddings), isinstance(embeddings[0].embedding[0], float)]
image = client.images.generate(model="picture", prompt="A tree", size="256x256", response_format="b64_json")
got["image"] = base64.b64decode(image.data[0].b64_json)[1:4].decode()
got["models"] = "mirror" in [model.id for model in client.models.list()]

try:
    client.chat.completions.create(**{**ask("Hi"), "model": "none"})
except openai.APIStatusError as error:
    got["unknown_model"] = [type(error).__name__, error.code]
got["wrong_key"] = name_of_error(lambda: OpenAI(api_key="fl_wrong").models.list())
got["broken_stream"] = name_of_error(
    lambda: list(client.chat.completions.create(**ask(given["failing"]), stream=True))
)

got["response"] = client.responses.create(model="mirror", input="Hello there").output_text
with client.responses.stream(model="mirror", input="Hello there") as stream:
    got["streamed_response"] = stream.get_final_response().output_text
response = client.responses.create(model="mirror", input=given["weather"], tools=flat_tools)
got["response_tools"] = [item.arguments for item in response.output if item.type == "function_call"]
parsed = client.responses.parse(model="mirror", input="Who wrote Faust?", text_format=Person)
got["response_parsed"] = isinstance(parsed.output_parsed, Person)
got["broken_response"] = name_of_error(
    lambda: list(client.responses.create(model="mirror", input=given["failing"], stream=True))
)

print(json.dumps(got))
