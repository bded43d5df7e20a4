import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { httpError } from './http-error.ts'

/** Reads what the address of a `GET` asks for: yoga takes what it can't read there for a defect, and knows no `documentId`. */
export function paramsInAddress(): Plugin {
  return {
    onRequestParse({ request, url, setRequestParser }) {
      if (request.method === 'GET') setRequestParser(() => paramsOf(url.searchParams))
    },
  }
}

function paramsOf(asked: URLSearchParams): GraphQLParams {
  const params: Record<string, unknown> = {}
  for (const name of ['query', 'operationName', 'documentId']) {
    const value = asked.get(name)
    if (value) params[name] = value
  }
  for (const name of ['variables', 'extensions']) {
    const value = asked.get(name)
    if (value) params[name] = parsed(name, value)
  }
  return params
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpError('INVALID_REQUEST', 400, `"${name}" must be JSON.`)
  }
}
