import { threadId } from 'node:worker_threads'

/** Returns the id of its thread. */
export async function work(how: 'answers' | 'exits' | 'exits afterwards'): Promise<number> {
  if (how === 'exits') process.exit()
  if (how === 'exits afterwards') setTimeout(() => process.exit(), 10)
  return threadId
}
