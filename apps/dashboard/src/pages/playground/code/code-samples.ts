import type { CallRequest } from '../call-model.ts'
import { pythonLiteral } from './python-literal.ts'

/** A `POST` request with this body; without one, a `GET` request. */
export type SampleRequest = Pick<CallRequest, 'path'> & Partial<CallRequest>

/** A request as a curl command. @param apiKey default: from the environment, as in all samples */
export function curlSample({ path, body }: SampleRequest, serviceUrl: string, apiKey?: string): string {
  const lines = [
    `curl ${body?.['stream'] === true ? '-N ' : ''}${serviceUrl}${path}`,
    apiKey === undefined ? `-H "Authorization: Bearer $FAIRLEAD_API_KEY"` : `-H 'Authorization: Bearer ${apiKey}'`,
  ]
  if (body) {
    const json = JSON.stringify(body, undefined, 2).replaceAll("'", String.raw`'\''`)
    lines.push(`-H 'Content-Type: application/json'`, `-d '${json}'`)
  }
  return lines.join(' \\\n  ')
}

/** A request as a TypeScript program without dependencies. */
export function typescriptSample({ path, body }: SampleRequest, serviceUrl: string, apiKey?: string): string {
  const token = apiKey === undefined ? '`Bearer ${process.env.FAIRLEAD_API_KEY}`' : `'Bearer ${apiKey}'`
  const json = body && JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  ')
  const post = `
  method: 'POST',
  headers: {
    authorization: ${token},
    'content-type': 'application/json',
  },
  body: JSON.stringify(${json}),`
  const request = `const response = await fetch('${serviceUrl}${path}', {${
    json ? post : `\n  headers: { authorization: ${token} },`
  }
})
`
  return `${request}${body?.['stream'] === true ? readStream(body) : readReply}`
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
export function pythonSample({ path, body }: SampleRequest, serviceUrl: string, apiKey?: string): string {
  const token = apiKey === undefined ? `f"Bearer {os.environ['FAIRLEAD_API_KEY']}"` : `"Bearer ${apiKey}"`
  const post = `
        "Content-Type": "application/json",
    },
    data=json.dumps(${pythonLiteral(body, 1)}).encode(),`
  const request = `import json
${apiKey === undefined ? 'import os\n' : ''}from urllib.request import Request, urlopen

request = Request(
    "${serviceUrl}${path}",
    headers={
        "Authorization": ${token},${body ? post : '\n    },'}
)
`
  return `${request}${body?.['stream'] === true ? readPythonStream(body) : readPythonReply}`
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
