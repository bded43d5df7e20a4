import { tool } from '@langchain/core/tools'
import { HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import * as z from 'zod'

const { URL: url, KEY: apiKey } = process.env
const configuration = { baseURL: `${url}/openai/v1` }
const writeFile = tool(async ({ path, content }) => `wrote ${content} to ${path}`, {
  name: 'write_file',
  description: 'Writes a file.',
  schema: z.object({ path: z.string(), content: z.string() }),
})
const results = {}
for (const [name, more] of Object.entries({ openai: {}, responses: { useResponsesApi: true } })) {
  const model = new ChatOpenAI({ model: 'gpt-5', apiKey, configuration, ...more })
  const { text } = await model.invoke('Say four words')
  let streamed = ''
  for await (const piece of await model.stream('Say four words')) streamed += piece.text
  const able = model.bindTools([writeFile])
  const messages = [new HumanMessage('Create hello.txt with the text Hello there')]
  const calling = await able.invoke(messages)
  messages.push(calling)
  for (const call of calling.tool_calls) messages.push(await writeFile.invoke(call))
  const written = messages.slice(2).map(({ content }) => content)
  results[name] = { text, streamed, written, closing: (await able.invoke(messages)).text }
}
const vector = await new OpenAIEmbeddings({ apiKey, configuration }).embedQuery('rain')
process.stdout.write(JSON.stringify({ ...results, dimensions: vector.length }))
