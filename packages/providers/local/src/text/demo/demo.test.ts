import {
  collectAnswer,
  type Message,
  type TextAnswer,
  answerText,
  type TextRequest,
  type Tool,
} from '@fairlead/core/provider'
import { describe, expect, test } from 'vitest'
import { chatRequest, userMessage } from '../../testing/text-request.ts'
import { localText } from '../local-text.ts'

const { generateText, streamText, models } = localText({ demo: true, random: () => 0.5 })
const call = { signal: new AbortController().signal, deadline: Number.POSITIVE_INFINITY, requestId: 'req_1' }
const system = (text: string): Message => ({ role: 'system', content: [{ type: 'text', text }] })
const ask = (messages: readonly Message[], rest: Partial<TextRequest> = {}) =>
  generateText(chatRequest('demo', messages, rest), call)

function tool(name: string, fields: readonly string[], rest: Partial<Tool> = {}): Tool {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  return { name, inputSchema: { type: 'object', properties, required: fields }, ...rest }
}

const inputsOf = ({ parts }: TextAnswer) =>
  parts.flatMap((part) => (part.type === 'tool_call' ? [{ name: part.name, input: part.input }] : []))

const patch = '*** Begin Patch\n*** Add File: hello.txt\n+Hello there\n*** End Patch'
const list = { type: 'object', properties: { command: { type: 'array', items: { type: 'string' } } } }
const command = "set -C; printf '%s' 'Hello there\n' > 'hello.txt'"
const program = 'declare const tools: { apply_patch(input: string): Promise<unknown>; };'
const prompt = userMessage('Create hello.txt with the text Hello there')

describe('the demo', () => {
  test.each<[string, Tool, object]>([
    ['Claude Code', tool('Write', ['file_path', 'content']), { file_path: 'hello.txt', content: 'Hello there\n' }],
    ['opencode', tool('write', ['content', 'filePath']), { filePath: 'hello.txt', content: 'Hello there\n' }],
    ['qwen-code', tool('write_file', ['file_path', 'content']), { file_path: 'hello.txt', content: 'Hello there\n' }],
    ['Cline', tool('write_to_file', ['path', 'content']), { path: 'hello.txt', content: 'Hello there\n' }],
    ['Codex with GPT-5', tool('apply_patch', ['input']), { input: patch }],
    ['opencode with GPT-5', tool('apply_patch', ['patchText']), { patchText: patch }],
    [
      'Codex with GPT-6',
      tool('functions__exec', ['input'], { description: program }),
      { input: `text(await tools.apply_patch(${JSON.stringify(patch)}))` },
    ],
    ['Codex with another model', tool('exec_command', ['cmd']), { cmd: command }],
    ['a shell that takes words', { name: 'shell', inputSchema: list }, { command: ['bash', '-lc', command] }],
  ])('the demo creates a file through the tools of %s', async (_agent, able, input) => {
    const others = [tool('Read', ['file_path']), tool('Edit', ['file_path', 'old_string'])]
    const answer = await ask([prompt], { tools: [...others, able] })
    expect(inputsOf(answer)).toEqual([{ name: able.name, input }])
    expect(answer.finishReason).toBe('tool_calls')
  })

  test('the demo fills other required fields of the tool, and gives the path in the folder that the agent names', async () => {
    const able = tool('Write', ['file_path', 'content', 'reason'])
    const messages = [
      system('# Environment\n - Primary working directory: /home/ada/my project\n - Platform: linux'),
      prompt,
    ]
    const [written] = inputsOf(await ask(messages, { tools: [able] }))
    expect(written?.input).toEqual({
      file_path: '/home/ada/my project/hello.txt',
      content: 'Hello there\n',
      reason: expect.any(String),
    })
  })

  test('the demo reads what the user wrote, and not what the agent added before and after it', async () => {
    const added = '<system-reminder>\nCreate other.txt.\n</system-reminder>'
    const messages = [
      userMessage('<environment_context>\n<cwd>/tmp/here</cwd>\n</environment_context>'),
      userMessage(`${added}\nCreate hello.txt with the text Hello there`),
      userMessage(added),
    ]
    const [written] = inputsOf(await ask(messages, { tools: [tool('Write', ['file_path', 'content'])] }))
    expect(written?.input).toEqual({ file_path: '/tmp/here/hello.txt', content: 'Hello there\n' })
  })

  test.each([
    [false, 'Write answered: File created'],
    [true, 'Write failed: File created'],
  ])(
    'the demo ends the turn with the result of the tool, and says that it is a demo (failed: %s)',
    async (isError, words) => {
      const result: Message = {
        role: 'tool',
        content: [
          {
            type: 'tool_result',
            toolCallId: 'call_1',
            name: 'Write',
            content: [{ type: 'text', text: 'File created' }],
            isError,
          },
        ],
      }
      const called: Message = {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'call_1', name: 'Write', inputText: '{}', input: {} }],
      }
      const answer = await ask([prompt, called, result, userMessage('<system-reminder>Go on.</system-reminder>')], {
        tools: [tool('Write', ['file_path', 'content'])],
      })
      expect(answerText(answer)).toContain(words)
      expect(answerText(answer)).toContain("Fairlead's demo, a script and not a language model")
      expect(answer.finishReason).toBe('stop')
    },
  )

  test.each([
    'Explain main.py',
    'Write tests for main.py',
    'Fix the bug in server.ts',
    'Add a field to config.json',
    'Write a class in a.ts',
  ])('the demo creates no file for a request that asks for something else: %s', async (text) => {
    const answer = await ask([userMessage(text)], { tools: [tool('Write', ['file_path', 'content'])] })
    expect(inputsOf(answer)).toEqual([])
    expect(answerText(answer)).toContain('a script and not a language model')
  })

  test('the demo composes the content of a file that is asked for by its topic', async () => {
    const [written] = inputsOf(
      await ask([userMessage('Write a haiku about rain to rain.txt')], { tools: [tool('Write', ['path', 'content'])] }),
    )
    expect(written?.input).toMatchObject({ path: 'rain.txt', content: expect.stringMatching(/^.+\n.+\n.+\n$/) })
  })

  test('the demo composes a text without tools, in the same way whole and as a stream', async () => {
    const request = chatRequest('demo', [system('x'.repeat(5_000)), userMessage('Write a haiku about rain')], {
      seed: 1,
    })
    const whole = await generateText(request, call)
    expect(answerText(whole).split('\n')).toHaveLength(3)
    expect(await collectAnswer(streamText(request, call))).toEqual(whole)
    expect(whole.usage?.promptTokens).toBeGreaterThan(500)
  })

  test('the demo answers a schema, a forced tool, and a script as mirror does', async () => {
    const schema = { type: 'object', properties: { city: { const: 'Oslo' } }, required: ['city'] }
    const object = await ask([userMessage('Where?')], { responseFormat: { type: 'json_schema', schema } })
    expect(JSON.parse(answerText(object))).toEqual({ city: 'Oslo' })
    const tools = [{ name: 'go', inputSchema: schema }]
    expect(inputsOf(await ask([userMessage('Where?')], { tools, toolChoice: { type: 'required' } }))).toEqual([
      { name: 'go', input: { city: 'Oslo' } },
    ])
    expect(answerText(await ask([userMessage('```mirror\nreply: Scripted\n```')], { tools }))).toBe('Scripted')
  })

  test('the demo reasons in one line where the client asks for an effort, and not otherwise', async () => {
    const reasoning = async (effort: 'low' | 'none') => {
      const { parts } = await ask([userMessage('Write a haiku about rain')], { reasoning: { effort } })
      return parts.filter(({ type }) => type === 'reasoning').length
    }
    expect([await reasoning('low'), await reasoning('none')]).toEqual([1, 0])
  })

  test('the demo is a model only if it is asked for', () => {
    expect(models.map(({ id }) => id)).toEqual(['scribe', 'mirror', 'demo'])
    expect(localText().models.map(({ id }) => id)).toEqual(['scribe', 'mirror'])
  })

  test('the demo takes no longer than a moment for a text of openings that nothing closes', async () => {
    const text = '<a-b>'.repeat(20_000)
    const tools = [tool('Write', ['file_path', 'content'])]
    const start = process.cpuUsage()
    await ask([userMessage(text), userMessage(`${'create a '.repeat(10_000)}`)], { tools })
    const { user } = process.cpuUsage(start)
    expect(user / 1_000).toBeLessThan(2_000)
  })
})
