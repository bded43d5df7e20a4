import { readFileSync } from 'node:fs'

/** The steps of the Dockerfile, with other folders in place of `/out`, `/app` and `/data`. */
export interface Image {
  /** The command that makes the service. */
  readonly build: string
  /** The entry point with its default arguments. */
  readonly start: readonly string[]
  readonly healthCheck: readonly string[]
  readonly user: string
  readonly environment: Readonly<Record<string, string>>
}

/** Reads the Dockerfile of the repository. Throws an error if an instruction is missing. */
export function readDockerfile(path: string, folders: { readonly app: string; readonly data: string }): Image {
  const text = readFileSync(path, 'utf8')
    .replaceAll(/^ *#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  const value = (pattern: RegExp) => {
    const [, found] = pattern.exec(text) ?? []
    if (found === undefined) throw new Error(`${path} has no line like ${pattern}`)
    return found.replaceAll(/\/(out|app)\b/g, folders.app).replaceAll(/\/data\b/g, folders.data)
  }
  const list = (pattern: RegExp) => JSON.parse(value(pattern)) as readonly string[]
  return {
    build: value(/^RUN (node .*)$/m),
    start: [...list(/^ENTRYPOINT (.*)$/m), ...list(/^CMD (.*)$/m)],
    healthCheck: list(/^HEALTHCHECK .*?CMD (.*)$/m),
    user: value(/^USER (\d+):\d+$/m),
    environment: Object.fromEntries(
      value(/^ENV (.*)$/m)
        .split(/ +/)
        .map((pair) => pair.split('=', 2) as [string, string]),
    ),
  }
}
