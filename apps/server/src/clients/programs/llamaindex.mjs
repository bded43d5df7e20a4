import { OpenAI, OpenAIEmbedding } from '@llamaindex/openai'
import { tool } from 'llamaindex'
import * as z from 'zod'

const { URL: url, KEY: apiKey } = process.env
const settings = { apiKey, baseURL: `${url}/openai/v1` }
const llm = new OpenAI({ model: 'gpt-5', ...settings })
const writeFile = tool({
  name: 'write_file',
  description: 'Writes a file.',
  parameters: z.object({ path: z.string(), content: z.string() }),
  execute: ({ path, content }) => `wrote ${content} to ${path}`,
})
const user = (content) => ({ role: 'user', content })
const { message } = await llm.chat({ messages: [user('Say four words')] })
let streamed = ''
for await (const { delta } of await llm.chat({ messages: [user('Say four words')], stream: true })) streamed += delta
const messages = [user('Create hello.txt with the text Hello there')]
const calling = (await llm.chat({ messages, tools: [writeFile] })).message
messages.push(calling)
const written = []
for (const { id, input } of calling.options?.toolCall ?? []) {
  const result = await writeFile.call(typeof input === 'string' ? JSON.parse(input) : input)
  written.push(result)
  messages.push({ role: 'user', content: result, options: { toolResult: { id, result, isError: false } } })
}
const closing = (await llm.chat({ messages, tools: [writeFile] })).message.content
const embedding = await new OpenAIEmbedding({ model: 'text-embedding-3-small', ...settings }).getTextEmbedding('rain')
const results = { text: message.content, streamed, written, closing }
process.stdout.write(JSON.stringify({ openai: results, dimensions: embedding.length }))
