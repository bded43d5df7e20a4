// npm run webhooks:listen: receives webhooks on this machine, and prints each delivery after verifying it.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { signWebhook, verifyWebhook } from '@fairlead/core/webhooks'

const options = readOptions()

const usage = `npm run webhooks:listen -- [--secret whsec_…] [--port 4000]

Prints the webhook deliveries that this machine receives. To try webhooks locally:

1. Start the service, and allow it to send to this machine:

  FAIRLEAD_WEBHOOKS_ALLOW_NETWORKS=127.0.0.1 npm start

2. Create a webhook. The response has its id and its secret:

  curl http://127.0.0.1:8080/webhooks \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"url": "http://127.0.0.1:${options.port}", "events": ["*"]}'

3. Start the receiver:

  WEBHOOK_SECRET=whsec_… npm run webhooks:listen -- --port ${options.port}

4. Send a test event to the webhook:

  curl -X POST http://127.0.0.1:8080/webhooks/whk_…/test -H "Authorization: Bearer $KEY"
`

if (options.help) console.log(usage)
else if (options.secret === '') {
  console.error(`${usage}\nThe secret of the webhook is missing.`)
  process.exitCode = 1
} else {
  await listen(options.secret, Number(options.port)).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        secret: { type: 'string', default: process.env['WEBHOOK_SECRET'] ?? '' },
        port: { type: 'string', default: '4000' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

async function listen(secret: string, port: number): Promise<void> {
  // Fails for a malformed secret now, and not at the first delivery.
  signWebhook({ id: '', timestamp: 0, body: '', secrets: [secret] })
  const server = createServer(async (request, response) => {
    response.writeHead((await isAccepted(request, secret)) ? 204 : 400).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  console.log(`Listening for webhooks on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

async function isAccepted(request: IncomingMessage, secret: string): Promise<boolean> {
  const time = new Date().toISOString()
  try {
    const event = verifyWebhook(request.headers, await buffer(request), secret)
    console.log(`\n${time} verified ${request.headers['webhook-id']} ${event.type}\n${JSON.stringify(event, null, 2)}`)
    return true
  } catch (error) {
    console.log(`\n${time} rejected ${(error as Error).message}`)
    return false
  }
}
