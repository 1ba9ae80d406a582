// Runs independent implementations of history strategies over generated
// conversations. Prints the conversations and the resulting views as JSON lines.
// differential_test.go compares lens with the output.
//
//   npm install @langchain/core@1.4.0 langchain@1.5.14 ai@6.0.326 @strands-agents/sdk@1.16.0
//   node generate.mjs | gzip -9n > cases.jsonl.gz
//
// A conversation: {"conversation": n, "messages": [...]}, chat messages.
// A case: {"oracle", "conversation", "chain", "view": [{"i", "text"?, "calls"?}]},
// with the equivalent chain of lens. view lists the indices of the messages in order.
// text and calls (ids) are set only if they differ from the record. i is null for an
// added message.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, filterMessages, trimMessages } from "@langchain/core/messages";
import { SlidingWindowConversationManager } from "@strands-agents/sdk";
import { pruneMessages } from "ai";
import { ClearToolUsesEdit } from "langchain";

// random returns a seeded random number generator, so that every run prints the same.
function random(seed) {
  let a = seed >>> 0;
  return (n) => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const words = "read file error fix test invoice cents 日本語 テスト naïve 👩‍💻 round ledger".split(" ");

function conversation(seed) {
  const rnd = random(seed);
  const text = (most) => Array.from({ length: 1 + rnd(most) }, () => words[rnd(words.length)]).join(" ");
  const messages = [];
  let calls = 0;
  if (rnd(4) > 0) messages.push({ role: "system", content: text(12) });
  for (let turn = 0; turn < 2 + rnd(5); turn++) {
    messages.push({ role: "user", content: text(15) });
    for (let round = 0; round < rnd(4); round++) {
      const made = Array.from({ length: 1 + rnd(3) }, () => ({
        id: `c${++calls}`,
        name: ["read", "bash", "search"][rnd(3)],
        arguments: JSON.stringify({ q: text(3) }),
      }));
      messages.push({ role: "assistant", content: rnd(2) ? text(8) : "", tool_calls: made });
      const results = made.map((c) => ({ role: "tool", tool_call_id: c.id, name: c.name, content: text(40) }));
      if (rnd(3) === 0) results.reverse();
      messages.push(...results);
    }
    if (rnd(5) > 0) messages.push({ role: "assistant", content: text(20) });
  }
  return messages;
}

const runes = (s) => Array.from(s).length;

// size returns the size of a message as counted in the test: code points plus four.
function size(m) {
  const args = (m.tool_calls ?? []).map((c) => c.name + JSON.stringify(c.args)).join("");
  return runes(typeof m.content === "string" ? m.content : "") + runes(args) + 4;
}
const count = (list) => list.reduce((n, m) => n + size(m), 0);

function langchain(messages) {
  return messages.map((m, i) => {
    const id = String(i);
    if (m.role === "system") return new SystemMessage({ id, content: m.content });
    if (m.role === "user") return new HumanMessage({ id, content: m.content });
    if (m.role === "tool") return new ToolMessage({ id, content: m.content, tool_call_id: m.tool_call_id, name: m.name });
    const tool_calls = (m.tool_calls ?? []).map((c) => ({ id: c.id, name: c.name, args: JSON.parse(c.arguments) }));
    return new AIMessage({ id, content: m.content, tool_calls });
  });
}

// shown converts LangChain's messages to a view. A rebuilt message has no id; places
// holds its index.
function shown(list, messages, places) {
  return list.map((m, at) => {
    if (!m) return { i: null };
    const i = places ? places[at] : Number(m.id);
    const entry = { i };
    if (m.content !== messages[i].content) entry.text = m.content;
    const empty = (m.tool_calls ?? []).filter((c) => Object.keys(c.args).length === 0).map((c) => c.id);
    if (empty.length > 0) entry.emptied = empty;
    return entry;
  });
}

const print = (o) => process.stdout.write(JSON.stringify(o) + "\n");

async function trims(n, messages) {
  const system = messages[0].role === "system" ? 1 : 0;
  for (const most of [2, 3, 5, 8, 13, 21]) {
    const options = { maxTokens: most, tokenCounter: (l) => l.length, strategy: "last", includeSystem: true };
    const kept = most - system;
    print({ oracle: "trimMessages by number", conversation: n, chain: `sliding_window(${kept})`, view: shown(await trimMessages(langchain(messages), options), messages) });
    const onUser = await trimMessages(langchain(messages), { ...options, startOn: "human" });
    print({ oracle: "trimMessages by number, startOn human", conversation: n, chain: `sliding_window(${kept}, align=user)`, view: shown(onUser, messages) });
  }
  for (const most of [60, 150, 300, 700, 1500]) {
    const options = { maxTokens: most, tokenCounter: count, strategy: "last", includeSystem: true };
    print({ oracle: "trimMessages by tokens", conversation: n, chain: `token_budget(${most})`, view: shown(await trimMessages(langchain(messages), options), messages) });
    const onUser = await trimMessages(langchain(messages), { ...options, startOn: "human" });
    print({ oracle: "trimMessages by tokens, startOn human", conversation: n, chain: `token_budget(${most}, start_on=user)`, view: shown(onUser, messages) });
  }
}

async function clears(n, messages) {
  // LangChain triggers when the limit is reached, lens when it is exceeded. The limit in the
  // chain is therefore one less.
  for (const [trigger, keep, excludeTools, clearToolInputs] of [[200, 3, [], false], [100, 0, [], false], [300, 1, ["bash"], false], [150, 2, [], true], [5000, 1, [], false]]) {
    const list = langchain(messages);
    await new ClearToolUsesEdit({ trigger: { tokens: trigger }, keep: { messages: keep }, excludeTools, clearToolInputs }).apply({ messages: list, countTokens: count });
    const chain = `clear_tool_uses(${trigger - 1}, keep=${keep}, exclude=[${excludeTools}], inputs=${clearToolInputs}, sticky=false)`;
    print({ oracle: "ClearToolUsesEdit", conversation: n, chain, view: shown(list, messages, messages.map((_, i) => i)) });
  }
}

function filters(n, messages) {
  for (const [types, roles] of [[["human", "ai"], "user, assistant"], [["human", "ai", "tool"], "user, assistant, tool"], [["human"], "user"], [["system", "human"], "system, user"]]) {
    print({ oracle: "filterMessages", conversation: n, chain: `filter([${roles}])`, view: shown(filterMessages(langchain(messages), { includeTypes: types }), messages) });
  }
}

function prunes(n, messages) {
  const list = messages.map((m, i) => {
    if (m.role === "tool") return { role: "tool", i, content: [{ type: "tool-result", toolCallId: m.tool_call_id, toolName: m.name, output: { type: "text", value: m.content } }] };
    if (!m.tool_calls) return { role: m.role, i, content: m.content };
    const text = m.content === "" ? [] : [{ type: "text", text: m.content }];
    return { role: "assistant", i, content: [...text, ...m.tool_calls.map((c) => ({ type: "tool-call", toolCallId: c.id, toolName: c.name, input: JSON.parse(c.arguments) }))] };
  });
  const cases = [["all", "drop_tool_calls(0)"], ["before-last-message", "drop_tool_calls(1)"]];
  for (const last of [2, 5, 9]) cases.push([`before-last-${last}-messages`, `drop_tool_calls(${last})`]);
  cases.push([[{ type: "before-last-4-messages", tools: ["read", "search"] }], "drop_tool_calls(4, tools=[read, search])"]);
  for (const [toolCalls, chain] of cases) {
    const view = pruneMessages({ messages: list, toolCalls, emptyMessages: "remove" }).map((m) => {
      const entry = { i: m.i };
      const made = messages[m.i].tool_calls;
      if (made) {
        const left = m.content.filter((p) => p.type === "tool-call").map((p) => p.toolCallId);
        if (left.length < made.length) entry.calls = left;
      }
      return entry;
    });
    print({ oracle: "pruneMessages", conversation: n, chain, view });
  }
}

// single keeps one call per reply, because Strands counts the results of parallel
// calls as one message.
function single(messages) {
  const left = new Set(messages.map((m) => m.tool_calls?.[0].id));
  return messages
    .filter((m) => m.role !== "tool" || left.has(m.tool_call_id))
    .map((m) => (m.tool_calls ? { ...m, tool_calls: m.tool_calls.slice(0, 1) } : m));
}

// windows prints the views of Strands, each preceded by LangChain's plain window.
async function windows(n, messages) {
  const system = messages[0].role === "system" ? 1 : 0;
  const blocks = (m) => {
    if (m.role === "tool") return [{ type: "toolResultBlock", toolUseId: m.tool_call_id, content: [] }];
    const text = m.content === "" ? [] : [{ type: "textBlock", text: m.content }];
    return [...text, ...(m.tool_calls ?? []).map((c) => ({ type: "toolUseBlock", toolUseId: c.id, name: c.name }))];
  };
  for (const windowSize of [2, 4, 7, 12]) {
    const options = { maxTokens: windowSize + system, tokenCounter: (l) => l.length, strategy: "last", includeSystem: true };
    print({ oracle: "trimMessages by number", conversation: n, chain: `sliding_window(${windowSize})`, view: shown(await trimMessages(langchain(messages), options), messages) });
    const list = messages.map((m, i) => ({ i, role: m.role === "assistant" ? "assistant" : "user", content: blocks(m) })).slice(system);
    if (list.length > windowSize) new SlidingWindowConversationManager({ windowSize }).reduce({ agent: { messages: list } });
    const view = [...(system ? [{ i: 0 }] : []), ...list.map((m) => ({ i: m.i }))];
    print({ oracle: "Strands sliding window", conversation: n, chain: `sliding_window(${windowSize}, align=user)`, view });
  }
}

for (let n = 0; n < 40; n++) {
  const messages = conversation(n + 1);
  print({ conversation: n, messages });
  await trims(n, messages);
  await clears(n, messages);
  filters(n, messages);
  prunes(n, messages);
}

for (let n = 100; n < 140; n++) {
  const messages = single(conversation(n + 1));
  print({ conversation: n, messages });
  await windows(n, messages);
}
