import { readdir } from 'node:fs/promises'
import { loadOnce } from '../../load-once.ts'
import type { Kind } from './kind.ts'

const folder = new URL('./kinds/', import.meta.url)

/** Every kind in the folder `kinds`, where each file exports one: a new file is a new kind. */
export const loadKinds = loadOnce(readKinds)

async function readKinds(): Promise<readonly Kind[]> {
  const files = (await readdir(folder)).filter((file) => /(?<!\.test|\.d)\.[jt]s$/.test(file)).sort()
  const modules = await Promise.all(
    files.map((file): Promise<Record<string, Kind>> => import(/* @vite-ignore */ new URL(file, folder).href)),
  )
  return modules.map((module, index) => {
    const [kind, another] = Object.values(module)
    if (!kind?.asks || another) throw new Error(`${files[index]} must export one kind and nothing else.`)
    return kind
  })
}
