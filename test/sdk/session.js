// Sends agents' sessions, as they grow, with OpenAI's and Anthropic's libraries.
//
// node session.js URL FILE prints what came of each request as one JSON object.
const { readFileSync } = require("node:fs");
const { default: OpenAI } = require("openai");
const { default: Anthropic } = require("@anthropic-ai/sdk");

const [url, file] = process.argv.slice(2);
const ofTheClient = { apiKey: "of-the-client", maxRetries: 0 };

async function chat(base, messages, more) {
  const client = new OpenAI({ ...ofTheClient, baseURL: base + "/v1" });
  const answer = await client.chat.completions.create({ ...more, messages, model: "auto" });
  return { model: answer.model, text: answer.choices[0].message.content };
}

async function respond(base, input, more) {
  const client = new OpenAI({ ...ofTheClient, baseURL: base + "/v1" });
  const answer = await client.responses.create({ ...more, input, model: "auto" });
  return { model: answer.model, text: answer.output_text };
}

async function message(base, turns, more) {
  const client = new Anthropic({ ...ofTheClient, baseURL: base });
  // The prompt cache is to end where the conversation does.
  const last = structuredClone(turns.at(-1));
  last.content.at(-1).cache_control = { type: "ephemeral" };
  const answer = await client.messages.create({ ...more, messages: [...turns.slice(0, -1), last], model: "auto" });
  return { model: answer.model, text: answer.content[0].text };
}

const ask = { chat, responses: respond, messages: message, sealed: message };

async function main() {
  const all = {};
  for (const [name, { turns, steps, more }] of Object.entries(JSON.parse(readFileSync(file, "utf8")))) {
    all[name] = [];
    for (const step of steps) all[name].push(await ask[name](`${url}/${name}`, turns.slice(0, step), more));
  }
  console.log(JSON.stringify(all));
}

main();
