"""Sends the given requests with OpenAI's client for Python, and prints what it got as JSON."""

import json
import os

import openai

client = openai.OpenAI(max_retries=0)


def answer(api, stream, body):
    if api == "chat":
        if not stream:
            return client.chat.completions.create(**body)
        with client.chat.completions.stream(**body) as events:
            return events.get_final_completion()
    if not stream:
        return client.responses.create(**body)
    with client.responses.stream(**body) as events:
        return events.get_final_response()


def outcome(api, stream, body):
    try:
        return answer(api, stream, body).model_dump()
    except openai.APIError as error:
        facts = {name: getattr(error, name, None) for name in ("code", "param", "type")}
        return {"error": type(error).__name__, **facts}


print(json.dumps([outcome(*each) for each in json.loads(os.environ["GIVEN"])]))
