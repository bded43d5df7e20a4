import { maxTypoLength, nearest, normalized } from './names.ts'

/** Our fields, as paths, and what other APIs call them. */
const foreignNames = {
  prompt: ['input', 'inputs', 'text', 'content', 'message', 'query', 'question'],
  messages: ['contents', 'conversation', 'history', 'chat_history'],
  model: ['engine', 'deployment'],
  maxTokens: ['max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'max_tokens_to_sample', 'num_predict'],
  stop: ['stop_sequences'],
  seed: ['random_seed'],
  tools: ['functions'],
  toolChoice: ['function_call', 'tool_config'],
  webSearch: ['web_search_options', 'google_search'],
  responseFormat: ['format', 'output_format', 'response_schema', 'json_schema'],
  'reasoning.effort': ['reasoning_effort', 'effort'],
  reasoning: ['thinking', 'thinking_config'],
  inputSchema: ['parameters'],
  input: ['arguments', 'args'],
  toolCallId: ['call_id', 'tool_use_id'],
  schema: ['json_schema'],
  mediaType: ['mime_type'],
  url: ['image_url', 'file_url'],
  data: ['base64', 'b64_json', 'file_data'],
  texts: ['input', 'inputs', 'content', 'documents'],
  dimensions: ['output_dimensionality', 'output_dimension'],
  encoding: ['encoding_format'],
  size: ['width', 'height', 'resolution', 'dimensions'],
  text: ['input', 'inputs', 'content', 'document', 'prompt'],
  tasks: ['features', 'types'],
}

interface Hint {
  readonly hint: string
  /** A field of the schemas that it is for. */
  readonly beside: string
  readonly names: readonly string[]
}

/** Suggestions for fields that have no single counterpart. */
const hints: readonly Hint[] = [
  {
    hint: 'send it in "messages", with the role "system"',
    beside: 'messages',
    names: ['system', 'system_prompt', 'system_instruction', 'instructions'],
  },
  {
    hint: 'its fields belong to the request itself',
    beside: 'prompt',
    names: ['parameters', 'options', 'settings', 'config', 'generation_config'],
  },
  { hint: 'send several requests instead', beside: 'prompt', names: ['n', 'best_of', 'candidate_count'] },
  { hint: 'its fields belong to the tool itself', beside: 'inputSchema', names: ['function'] },
  {
    hint: 'send it in "content", as parts of the type "tool_call"',
    beside: 'role',
    names: ['tool_calls', 'function_call'],
  },
  { hint: 'send it in "content", in a part of the type "tool_result"', beside: 'role', names: ['tool_call_id'] },
]

const fieldsByForeignName = invert(Object.entries(foreignNames))
const hintsByName = invert(hints.map((hint) => [hint, hint.names]))

export interface FieldSuggestion {
  /** Our field. */
  readonly suggestion?: string
  /** A suggestion, as a clause. */
  readonly hint?: string
}

/** @param known the fields that the schema has */
export function suggestField(name: string, known: readonly string[]): FieldSuggestion {
  if (name.length > maxTypoLength) return {}
  const letters = normalized(name)
  const hint = hintsByName.get(letters)?.find(({ beside }) => known.includes(beside))?.hint
  if (hint !== undefined) return { hint }
  const fields = fieldsByForeignName.get(letters) ?? []
  const suggestion = fields.find((field) => known.includes(field.split('.')[0]!)) ?? nearest(name, known)
  return suggestion === undefined ? {} : { suggestion }
}

function invert<Meaning>(entries: readonly (readonly [Meaning, readonly string[]])[]): Map<string, Meaning[]> {
  const pairs = entries.flatMap(([meaning, names]) => names.map((name) => ({ name: normalized(name), meaning })))
  const grouped = Map.groupBy(pairs, ({ name }) => name)
  return new Map([...grouped].map(([name, found]) => [name, found.map(({ meaning }) => meaning)]))
}
