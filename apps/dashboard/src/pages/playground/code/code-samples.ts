import type { CallRequest } from '../call-model.ts'
import { pythonLiteral } from './python-literal.ts'

/** A request as a curl command. The API key comes from the environment. */
export function curlSample({ path, body }: CallRequest, serviceUrl: string): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`)
  const lines = [
    `curl ${body['stream'] === true ? '-N ' : ''}${serviceUrl}${path}`,
    `-H "Authorization: Bearer $FAIRLEAD_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${json}'`,
  ]
  return lines.join(' \\\n  ')
}

/** A request as a TypeScript program without dependencies. */
export function typescriptSample({ path, body }: CallRequest, serviceUrl: string): string {
  const json = JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')
  const request = `const response = await fetch('${serviceUrl}${path}', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.FAIRLEAD_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(${json}),
})
`
  return `${request}${body['stream'] === true ? readStream(body) : readReply}`
}

const readReply = `const { data, error } = await response.json()
if (error) throw new Error(error.message)
console.log(data)
`

function readStream(body: CallRequest['body']): string {
  const done = body['tools'] ? `    if (type === 'done') console.log(JSON.parse(data).data.parts)\n` : ''
  return `if (!response.ok || !response.body) throw new Error(await response.text())

let buffer = ''
for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
  buffer += text
  const events = buffer.split('\\n\\n')
  buffer = events.pop() ?? ''
  for (const event of events) {
    const [, type, data = ''] = /^event: (\\w+)\\ndata: (.*)$/.exec(event) ?? []
    if (type === 'chunk') process.stdout.write(JSON.parse(data).content)
${done}    if (type === 'error') throw new Error(JSON.parse(data).error.message)
  }
}
`
}

/** A request as a Python program without dependencies. */
export function pythonSample({ path, body }: CallRequest, serviceUrl: string): string {
  const request = `import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${serviceUrl}${path}",
    headers={
        "Authorization": f"Bearer {os.environ['FAIRLEAD_API_KEY']}",
        "Content-Type": "application/json",
    },
    data=json.dumps(${pythonLiteral(body, 1)}).encode(),
)
`
  return `${request}${body['stream'] === true ? readPythonStream(body) : readPythonReply}`
}

const readPythonReply = `with urlopen(request) as response:
    print(json.load(response)["data"])
`

function readPythonStream(body: CallRequest['body']): string {
  const done = body['tools']
    ? `        if event == "done":
            print(json.loads(data)["data"]["parts"])
`
    : ''
  return `with urlopen(request) as response:
    for line in response:
        name, _, data = line.decode().rstrip().partition(": ")
        if name == "event":
            event = data
            continue
        if name != "data":
            continue
        if event == "chunk":
            print(json.loads(data)["content"], end="", flush=True)
${done}        if event == "error":
            raise RuntimeError(json.loads(data)["error"]["message"])
`
}
