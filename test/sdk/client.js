// Uses OpenAI's and Anthropic's own libraries as their documentation shows.
//
// node client.js URL prints what came of each exchange as one JSON object.
const { default: OpenAI, APIError } = require("openai");
const { default: Anthropic, APIError: AnthropicError } = require("@anthropic-ai/sdk");

const url = process.argv[2];
const openai = new OpenAI({ baseURL: url + "/v1", apiKey: "of-the-client", maxRetries: 0 });
const anthropic = new Anthropic({ baseURL: url, apiKey: "of-the-client", maxRetries: 0 });

const greeting = "Hello there!";
const call = 'Please use get_weather {"city": "Zürich", "precise": 1.0}';
const result = "sunny, 21.50 °C";
const look = "Hello, what is this?";
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const dataURL = "data:image/png;base64," + pixel;
const schema = { type: "object", properties: { city: { type: "string" } } };
const tooLong = { headers: { "x-pointsman-hint-context": "5000000" } };

const user = (content) => ({ role: "user", content });

// Chat Completions

const chat = (body, options) =>
  openai.chat.completions.create({ model: "auto", messages: [user(greeting)], ...body }, options);

const ofChat = ({ model, choices: [choice] }) => ({ model, text: choice.message.content, stop: choice.finish_reason });

async function chatStream() {
  const seen = { model: "", text: "", stop: "" };
  for await (const chunk of await chat({ stream: true })) {
    seen.model = chunk.model;
    for (const choice of chunk.choices) {
      seen.text += choice.delta.content ?? "";
      seen.stop = choice.finish_reason ?? seen.stop;
    }
  }
  return seen;
}

async function chatTool() {
  const tools = [{ type: "function", function: { name: "get_weather", parameters: schema } }];
  const { message } = (await chat({ messages: [user(call)], tools })).choices[0];
  const made = message.tool_calls[0];
  const back = { role: "tool", tool_call_id: made.id, content: result };
  const answered = await chat({ messages: [user(call), message, back], tools });
  return { ...ofChat(answered), tool: made.function.name, arguments: JSON.parse(made.function.arguments) };
}

const chatImage = async () =>
  ofChat(await chat({ messages: [user([{ type: "text", text: look }, { type: "image_url", image_url: { url: dataURL } }])] }));

// Responses

const respond = (body, options) =>
  openai.responses.create({ model: "auto", input: greeting, store: false, ...body }, options);

const ofResponse = ({ model, output_text: text, status: stop }) => ({ model, text, stop });

async function responsesStream() {
  let text = "", last;
  for await (const event of await respond({ stream: true })) {
    if (event.type === "response.output_text.delta") text += event.delta;
    if (event.type === "response.completed") last = event.response;
  }
  return { model: last.model, text, stop: last.status };
}

async function responsesTool() {
  const tools = [{ type: "function", name: "get_weather", parameters: schema, strict: false }];
  const asked = await respond({ input: [user(call)], tools });
  const made = asked.output[0];
  const back = { type: "function_call_output", call_id: made.call_id, output: result };
  const answered = await respond({ input: [user(call), ...asked.output, back], tools });
  return { ...ofResponse(answered), tool: made.name, arguments: JSON.parse(made.arguments) };
}

async function responsesImage() {
  const image = { type: "input_image", image_url: dataURL, detail: "auto" };
  return ofResponse(await respond({ input: [user([{ type: "input_text", text: look }, image])] }));
}

// Messages

const message = (body, options) =>
  anthropic.messages.create({ model: "auto", max_tokens: 1000, messages: [user(greeting)], ...body }, options);

const ofMessage = ({ model, content, stop_reason: stop }) => ({
  model,
  text: content.filter((block) => block.type === "text").map((block) => block.text).join(""),
  stop,
});

async function messagesStream() {
  let text = "";
  const stream = anthropic.messages
    .stream({ model: "auto", max_tokens: 1000, messages: [user(greeting)] })
    .on("text", (piece) => { text += piece; });
  return { ...ofMessage(await stream.finalMessage()), text };
}

async function messagesTool() {
  const tools = [{ name: "get_weather", input_schema: schema }];
  const asked = await message({ messages: [user(call)], tools });
  const made = asked.content[0];
  const back = user([{ type: "tool_result", tool_use_id: made.id, content: result }]);
  const answered = await message({ messages: [user(call), { role: "assistant", content: asked.content }, back], tools });
  return { ...ofMessage(answered), tool: made.name, arguments: made.input };
}

async function messagesImage() {
  const source = { type: "base64", media_type: "image/png", data: pixel };
  return ofMessage(await message({ messages: [user([{ type: "image", source }, { type: "text", text: look }])] }));
}

async function messagesCount() {
  const counted = await anthropic.messages.countTokens({ model: "auto", messages: [user(greeting)] });
  return { tokens: counted.input_tokens };
}

// What is asked of each API

async function errorOf(asked) {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof APIError || error instanceof AnthropicError)) throw error;
    const said = error.error.error ?? error.error;
    return { error: error.constructor.name, status: error.status, message: said.message };
  }
  return { error: "none" };
}

async function main() {
  const unknown = { model: "none-such" };
  console.log(JSON.stringify({
    "chat plain": ofChat(await chat()),
    "chat stream": await chatStream(),
    "chat tool": await chatTool(),
    "chat image": await chatImage(),
    "chat 404": await errorOf(chat(unknown)),
    "chat 400": await errorOf(chat({}, tooLong)),
    "responses plain": ofResponse(await respond()),
    "responses stream": await responsesStream(),
    "responses tool": await responsesTool(),
    "responses image": await responsesImage(),
    "responses 404": await errorOf(respond(unknown)),
    "responses 400": await errorOf(respond({}, tooLong)),
    "messages plain": ofMessage(await message()),
    "messages stream": await messagesStream(),
    "messages tool": await messagesTool(),
    "messages image": await messagesImage(),
    "messages count": await messagesCount(),
    "messages 404": await errorOf(message(unknown)),
    "messages 400": await errorOf(message({}, tooLong)),
  }));
}

main();
