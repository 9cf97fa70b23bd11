"""Sends agents' sessions, as they grow, with OpenAI's and Anthropic's libraries.

session.py URL FILE prints what came of each request as one JSON object.
"""

import copy
import functools
import json
import sys

import anthropic
import openai

URL, FILE = sys.argv[1:]


@functools.cache
def openais(base):
    return openai.OpenAI(base_url=base + "/v1", api_key="of-the-client", max_retries=0)


@functools.cache
def anthropics(base):
    return anthropic.Anthropic(base_url=base, api_key="of-the-client", max_retries=0)


def chat(base, turns, more):
    answer = openais(base).chat.completions.create(model="auto", messages=turns, **more)
    return {"model": answer.model, "text": answer.choices[0].message.content}


def respond(base, turns, more):
    answer = openais(base).responses.create(model="auto", input=turns, **more)
    return {"model": answer.model, "text": answer.output_text}


def message(base, turns, more):
    # The prompt cache is to end where the conversation does.
    turns = [*turns[:-1], copy.deepcopy(turns[-1])]
    turns[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    answer = anthropics(base).messages.create(model="auto", messages=turns, **more)
    return {"model": answer.model, "text": answer.content[0].text}


ASK = {"chat": chat, "responses": respond, "messages": message, "sealed": message}

with open(FILE, encoding="utf-8") as file:
    SESSIONS = json.load(file)
print(json.dumps({
    name: [ASK[name](f"{URL}/{name}", session["turns"][:step], session["more"]) for step in session["steps"]]
    for name, session in SESSIONS.items()
}))
