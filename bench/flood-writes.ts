// Started by bench/isolation.ts: connections of one account that create shipments without a pause, until the parent exits.
import { setPriority } from 'node:os'
import { Agent, request } from 'undici'
import { wireShipment } from './wire-shipment.ts'

const [url = '', key = '', connections = '100'] = process.argv.slice(2)

// A real attacker has its own machine. Here it must not use the server's CPU time.
setPriority(15)
const dispatcher = new Agent({ connections: Number(connections) })
const statuses: Record<string, number> = {}
process.on('message', () => void process.send?.(statuses))
process.on('disconnect', () => process.exit(0))
for (let connection = 0; connection < Number(connections); connection++) void flood(connection)

async function flood(connection: number): Promise<void> {
  for (let n = 0; ; n++) {
    const status = await create(`${connection} ${n}`)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
}

async function create(reference: string): Promise<number | string> {
  try {
    const reply = await request(`${url}/shipments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify(wireShipment(reference)),
      dispatcher,
    })
    await reply.body.dump()
    return reply.statusCode
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
