export type Receiver = 'express' | 'fetch' | 'python' | 'terminal'

export interface ReceiverSnippet {
  readonly receiver: Receiver
  readonly label: string
  readonly code: string
}

export interface ReceiverSnippetOptions {
  /** Where the receiver is reached. */
  readonly url: string
  readonly secret: string
}

/** Programs that receive the events of a webhook and verify their signatures, ready to run. */
export function receiverSnippets({ url, secret }: ReceiverSnippetOptions): readonly ReceiverSnippet[] {
  const { pathname, port } = new URL(url)
  const options = { path: pathname, port: port || '3000', secret }
  return [
    { receiver: 'express', label: 'Express', code: express(options) },
    { receiver: 'fetch', label: 'Next.js, Hono, Bun', code: fetchHandler(options) },
    { receiver: 'python', label: 'Python', code: python(options) },
    { receiver: 'terminal', label: 'Terminal', code: terminal(options) },
  ]
}

interface Options {
  readonly path: string
  readonly port: string
  readonly secret: string
}

function express({ path, port, secret }: Options): string {
  return `// export WEBHOOK_SECRET=${secret}
import { verifyWebhook, WebhookVerificationError } from '@fairlead/webhooks/verify'
import express from 'express'

const app = express()

app.post('${path}', express.raw({ type: 'application/json' }), (request, response) => {
  const event = verifyWebhook(request.headers, request.body, process.env.WEBHOOK_SECRET)
  console.log(event.type, event.data)
  response.sendStatus(204)
})

app.listen(${port})
`
}

function fetchHandler({ path, secret }: Options): string {
  return `// export WEBHOOK_SECRET=${secret}
// In Next.js: app${path === '/' ? '' : path}/route.js

export async function POST(request) {
  try {
    const event = verifyWebhook(request.headers, await request.text(), process.env.WEBHOOK_SECRET)
    console.log(event.type, event.data)
    return new Response(null, { status: 204 })
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error
    return new Response(error.message, { status: 400 })
  }
}
`
}

function python({ port, secret }: Options): string {
  return `# export WEBHOOK_SECRET=${secret}
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def verify(headers, body):
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return any(hmac.compare_digest(expected, sent) for sent in headers["webhook-signature"].split())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        verified = verify(self.headers, body)
        if verified:
            event = json.loads(body)
            print(event["type"], event["data"])
        self.send_response(204 if verified else 400)
        self.end_headers()


HTTPServer(("", ${port}), Receiver).serve_forever()
`
}

function terminal({ port, secret }: Options): string {
  return `# Prints verified deliveries. Install the command with "npm install --global fairlead".
# The service must allow the address: FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS=127.0.0.1
WEBHOOK_SECRET=${secret} fairlead webhooks listen --port ${port}
`
}
