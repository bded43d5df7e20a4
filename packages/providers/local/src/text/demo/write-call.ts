import { isObject, type Tool } from '@fairlead/core/provider'
import { exampleValue } from '../example-value.ts'
import type { ScriptedCall } from '../mirror/read-script.ts'

export interface FileToWrite {
  /** A relative path. */
  readonly path: string
  /** Ends with a line break. */
  readonly content: string
  /** The absolute path of the folder that it is relative to, if known. */
  readonly folder: string | undefined
}

/** Makes the input of a tool that can write a file; undefined if the tool cannot. */
type Writer = (tool: Tool, file: FileToWrite) => ScriptedCall['input'] | undefined

/** The names that agents have for the same fields. */
const pathFields = ['file_path', 'filePath', 'filepath', 'absolute_path', 'path', 'filename']
const contentFields = ['content', 'contents', 'file_text', 'fileText', 'text']

/** Claude Code, opencode, qwen-code, Continue, Cline, and others: a path and a content. */
const byContent: Writer = ({ name, inputSchema }, { path, content, folder }) => {
  const pathField = findField(inputSchema, pathFields)
  const contentField = findField(inputSchema, contentFields)
  if (!/write|create|save/i.test(name) || pathField === undefined || contentField === undefined) return undefined
  const whole = folder === undefined ? path : `${folder.replace(/\/$/, '')}/${path.replace(/^\.\//, '')}`
  return { ...required(inputSchema), [pathField]: whole, [contentField]: content }
}

/** Codex and opencode: a patch. */
const byPatch: Writer = ({ name, inputSchema }, file) => {
  const field = findField(inputSchema, ['input', 'patch', 'patchText'])
  return /apply_?patch/i.test(name) && field !== undefined ? { [field]: createPatch(file) } : undefined
}

/** Codex with newer models: JavaScript that calls its other tools. */
const byProgram: Writer = ({ name, description = '', inputSchema }, file) => {
  const isProgram = /(?:^|_)exec$/.test(name) && description.includes('tools: { apply_patch')
  if (!isProgram || findField(inputSchema, ['input']) === undefined) return undefined
  return { input: `text(await tools.apply_patch(${JSON.stringify(createPatch(file))}))` }
}

/** Every agent: a command, which never replaces a file. */
const byCommand: Writer = ({ name, inputSchema }, { path, content }) => {
  const field = findField(inputSchema, ['command', 'cmd', 'commands'])
  if (!/bash|shell|exec|command|terminal/i.test(name) || field === undefined) return undefined
  const command = `set -C; printf '%s' ${inShell(content)} > ${inShell(path)}`
  const isList = readProperties(inputSchema)[field]?.type === 'array'
  const words = field === 'commands' ? [command] : ['bash', '-lc', command]
  return { ...required(inputSchema), [field]: isList ? words : command }
}

const writers = [byContent, byPatch, byProgram, byCommand]

/** Finds the call that writes the file with the tools of an agent. */
export function writeCall(tools: readonly Tool[], file: FileToWrite): ScriptedCall | undefined {
  for (const write of writers) {
    for (const tool of tools) {
      const input = write(tool, file)
      if (input) return { name: tool.name, input }
    }
  }
  return undefined
}

function readProperties({ properties }: Tool['inputSchema']): Readonly<Record<string, { readonly type?: unknown }>> {
  return isObject(properties) ? (properties as Record<string, { readonly type?: unknown }>) : {}
}

function findField(schema: Tool['inputSchema'], names: readonly string[]): string | undefined {
  return names.find((name) => Object.hasOwn(readProperties(schema), name))
}

/** Values for the fields that the tool requires besides. */
function required(schema: Tool['inputSchema']): Readonly<Record<string, unknown>> {
  const names = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []
  const { value } = exampleValue(schema)
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).filter(([name]) => names.includes(name)))
}

function createPatch({ path, content }: FileToWrite): string {
  const lines = content.replace(/\n$/, '').split('\n')
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch'].join('\n')
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
