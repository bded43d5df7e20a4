/**
 * The requests of a coding agent: its tools, and a conversation of steps with tool calls and results. The same in each run.
 */
export interface AgentTurn {
  /** In OpenAI's chat form. */
  readonly chat: object
  /** In Anthropic's form. */
  readonly messages: object
}

interface Step {
  readonly id: string
  readonly says: string
  readonly tool: string
  readonly input: object
  readonly result: string
}

const system =
  'You are a coding agent. Work in small steps, run the tests after each, and explain every change.\n'.repeat(40)
const task =
  'The parser loses the last line of a file that ends without a newline. Find the cause, fix it – and add a test.'

const toolNames = [
  'read_file',
  'write_file',
  'edit_file',
  'list_files',
  'search',
  'run_command',
  'run_tests',
  'git_diff',
]
const tools = Array.from({ length: 20 }, (_, n) => describeTool(toolNames[n] ?? `${toolNames[n % 8]}_${n}`))

function describeTool(name: string) {
  return {
    name,
    description: `Use "${name}" when the task needs it. Paths are relative to the project. ${'It returns text. '.repeat(12)}`,
    schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The path of the file, such as `src/parser.ts`.' },
        lines: {
          type: 'object',
          properties: { from: { type: 'integer', minimum: 1 }, to: { type: 'integer', minimum: 1 } },
          additionalProperties: false,
        },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { find: { type: 'string' }, replace: { type: 'string' } },
            required: ['find', 'replace'],
            additionalProperties: false,
          },
        },
        mode: { type: 'string', enum: ['plain', 'regex', 'glob'] },
      },
      required: ['path'],
      additionalProperties: false,
    },
  }
}

/** A part of a source file, with quotes, tabs, newlines, escapes, and some characters outside ASCII. */
function sourceCode(n: number): string {
  return [
    `export function parseLine${n}(text: string, from = ${n}): Line {`,
    `\tconst end = text.indexOf("\\n", from) // the last line may end without “\\n”`,
    '\tif (end === -1) return { text: text.slice(from), next: text.length }',
    `\tconst line = text.slice(from, end).replace(/\\r$/, '') // Größe: ${n * 17} → ${n * 19} bytes`,
    `\tlog.debug(\`line \${from}: "\${line}"\`, { file: 'src/parser-${n}.ts', step: ${n} })`,
    '\treturn { text: line, next: end + 1 }',
    '}',
    '',
  ].join('\n')
}

/** A step takes about 6.7 kB. */
function step(n: number): Step {
  const path = `src/parser-${n}.ts`
  return {
    id: `call_${String(n).padStart(8, '0')}`,
    says: `Step ${n}: "${path}" reads one line too few, so I look at how it ends. Then I'll run the tests again.\n\n- check \`next\`\n- check the end of the file`,
    tool: toolNames[n % toolNames.length]!,
    input: { path, lines: { from: 1 + n, to: 120 + n }, edits: [{ find: sourceCode(n), replace: sourceCode(n + 1) }] },
    result: Array.from({ length: 12 }, (_, part) => sourceCode(n * 12 + part)).join('\n'),
  }
}

/** @param kilobytes the size of the request in OpenAI's form. It is the largest that has only whole steps. */
export function agentTurn(kilobytes: number): AgentTurn {
  const steps: Step[] = []
  let left = kilobytes * 1e3 - byteLength(chatTurn(steps))
  for (;;) {
    const next = step(steps.length)
    left -= byteLength(chatSteps([next]))
    if (left < 0) return { chat: chatTurn(steps), messages: messagesTurn(steps) }
    steps.push(next)
  }
}

function byteLength(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

function chatTurn(steps: readonly Step[]) {
  return {
    model: 'instant',
    max_tokens: 1_024,
    messages: [{ role: 'system', content: system }, { role: 'user', content: task }, ...chatSteps(steps)],
    tools: tools.map(({ name, description, schema }) => ({
      type: 'function',
      function: { name, description, parameters: schema },
    })),
  }
}

function chatSteps(steps: readonly Step[]) {
  return steps.flatMap(({ id, says, tool, input, result }) => [
    {
      role: 'assistant',
      content: says,
      tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: result },
  ])
}

function messagesTurn(steps: readonly Step[]) {
  return {
    model: 'instant',
    max_tokens: 1_024,
    system,
    messages: [
      { role: 'user', content: task },
      ...steps.flatMap(({ id, says, tool, input, result }) => [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: says },
            { type: 'tool_use', id, name: tool, input },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
      ]),
    ],
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  }
}
