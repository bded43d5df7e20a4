"""Sends the given requests with OpenAI's client for Python, and prints what it got as JSON."""

import json
import os

import openai

client = openai.OpenAI(max_retries=int(os.environ.get("MAX_RETRIES", "0")))


def whole(api, body):
    if api == "chat":
        return client.chat.completions.create(**body)
    return client.responses.create(**body)


def streamed(api, body):
    if api == "chat":
        with client.chat.completions.stream(**body) as events:
            return events.get_final_completion()
    with client.responses.stream(**body) as events:
        return events.get_final_response()


def aborted(api, body):
    with whole(api, {**body, "stream": True}) as events:
        return next(iter(events))


ways = {"whole": whole, "streamed": streamed, "aborted": aborted}


def outcome(way, api, body):
    try:
        return ways[way](api, body).model_dump()
    except openai.APIError as error:
        facts = {name: getattr(error, name, None) for name in ("code", "param", "type")}
        return {"error": type(error).__name__, **facts}


print(json.dumps([outcome(*each) for each in json.loads(os.environ["GIVEN"])]))
