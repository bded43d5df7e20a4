import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '../../apps/server/src/testing/clients/table.ts'

const folder = join(import.meta.dirname, '../../apps/server/src/clients')
const ending = '.clients.test.ts'

/** The clients that have tests: by the names of their files, their own names with their versions. */
export function readTitles(): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((file) => file.endsWith(ending))
  return new Map(names.map((file) => file.slice(0, -ending.length)).map((id) => [id, titleOf(id)]))
}

function titleOf(id: string): string {
  const table: Readonly<Record<string, { readonly name: string; readonly packages: object }>> = clients
  const client = table[id]
  return client ? `${client.name} ${Object.values(client.packages)[0]}` : id
}
