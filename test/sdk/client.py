"""Uses OpenAI's and Anthropic's own libraries as their documentation shows.

client.py URL prints what came of each exchange as one JSON object.
"""

import json
import sys

import anthropic
import openai

URL = sys.argv[1]
OPENAI = openai.OpenAI(base_url=URL + "/v1", api_key="of-the-client", max_retries=0)
ANTHROPIC = anthropic.Anthropic(base_url=URL, api_key="of-the-client", max_retries=0)

GREETING = "Hello there!"
CALL = 'Please use get_weather {"city": "Zürich", "precise": 1.0}'
RESULT = "sunny, 21.50 °C"
LOOK = "Hello, what is this?"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DATA_URL = "data:image/png;base64," + PIXEL
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TOO_LONG = {"x-pointsman-hint-context": "5000000"}


def user(content):
    return [{"role": "user", "content": content}]


# Chat Completions


def chat(model="auto", messages=None, **more):
    return OPENAI.chat.completions.create(model=model, messages=messages or user(GREETING), **more)


def of_chat(answer):
    return {"model": answer.model, "text": answer.choices[0].message.content, "stop": answer.choices[0].finish_reason}


def chat_stream():
    model, text, stop = "", "", ""
    for chunk in chat(stream=True):
        model = chunk.model
        for choice in chunk.choices:
            text += choice.delta.content or ""
            stop = choice.finish_reason or stop
    return {"model": model, "text": text, "stop": stop}


def chat_tool():
    tools = [{"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}}]
    asked = chat(messages=user(CALL), tools=tools)
    call = asked.choices[0].message.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": RESULT}
    answered = chat(messages=[*user(CALL), asked.choices[0].message, result], tools=tools)
    return of_chat(answered) | {"tool": call.function.name, "arguments": json.loads(call.function.arguments)}


def chat_image():
    return of_chat(
        chat(
            messages=user([{"type": "text", "text": LOOK}, {"type": "image_url", "image_url": {"url": DATA_URL}}])
        )
    )


# Responses


def respond(model="auto", input=GREETING, **more):
    return OPENAI.responses.create(model=model, input=input, store=False, **more)


def of_response(answer):
    return {"model": answer.model, "text": answer.output_text, "stop": answer.status}


def responses_stream():
    text, last = "", None
    for event in respond(stream=True):
        if event.type == "response.output_text.delta":
            text += event.delta
        elif event.type == "response.completed":
            last = event.response
    return of_response(last) | {"text": text}


def responses_tool():
    tools = [{"type": "function", "name": "get_weather", "parameters": SCHEMA, "strict": False}]
    asked = respond(input=user(CALL), tools=tools)
    call = asked.output[0]
    result = {"type": "function_call_output", "call_id": call.call_id, "output": RESULT}
    answered = respond(input=[*user(CALL), *asked.output, result], tools=tools)
    return of_response(answered) | {"tool": call.name, "arguments": json.loads(call.arguments)}


def responses_image():
    return of_response(
        respond(
            input=user([
                {"type": "input_text", "text": LOOK},
                {"type": "input_image", "image_url": DATA_URL, "detail": "auto"},
            ])
        )
    )


# Messages


def message(model="auto", messages=None, **more):
    return ANTHROPIC.messages.create(model=model, max_tokens=1000, messages=messages or user(GREETING), **more)


def of_message(answer):
    text = "".join(block.text for block in answer.content if block.type == "text")
    return {"model": answer.model, "text": text, "stop": answer.stop_reason}


def messages_stream():
    with ANTHROPIC.messages.stream(model="auto", max_tokens=1000, messages=user(GREETING)) as stream:
        text = "".join(stream.text_stream)
        return of_message(stream.get_final_message()) | {"text": text}


def messages_tool():
    tools = [{"name": "get_weather", "input_schema": SCHEMA}]
    asked = message(messages=user(CALL), tools=tools)
    call = asked.content[0]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": RESULT}
    turns = [*user(CALL), {"role": "assistant", "content": asked.content}, *user([result])]
    return of_message(message(messages=turns, tools=tools)) | {"tool": call.name, "arguments": call.input}


def messages_image():
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    return of_message(message(messages=user([{"type": "image", "source": source}, {"type": "text", "text": LOOK}])))


def messages_count():
    counted = ANTHROPIC.messages.count_tokens(model="auto", messages=user(GREETING))
    return {"tokens": counted.input_tokens}


# What is asked of each API


def error_of(ask):
    try:
        ask()
    except (openai.APIStatusError, anthropic.APIStatusError) as error:
        said = error.body["error"] if "error" in error.body else error.body
        return {"error": type(error).__name__, "status": error.status_code, "message": said["message"]}
    return {"error": "none"}


print(json.dumps({
    "chat plain": of_chat(chat()),
    "chat stream": chat_stream(),
    "chat tool": chat_tool(),
    "chat image": chat_image(),
    "chat 404": error_of(lambda: chat(model="none-such")),
    "chat 400": error_of(lambda: chat(extra_headers=TOO_LONG)),
    "responses plain": of_response(respond()),
    "responses stream": responses_stream(),
    "responses tool": responses_tool(),
    "responses image": responses_image(),
    "responses 404": error_of(lambda: respond(model="none-such")),
    "responses 400": error_of(lambda: respond(extra_headers=TOO_LONG)),
    "messages plain": of_message(message()),
    "messages stream": messages_stream(),
    "messages tool": messages_tool(),
    "messages image": messages_image(),
    "messages count": messages_count(),
    "messages 404": error_of(lambda: message(model="none-such")),
    "messages 400": error_of(lambda: message(extra_headers=TOO_LONG)),
}))
