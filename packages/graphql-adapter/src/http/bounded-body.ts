import { createJsonScan } from '@fairlead/node-http'
import type { Plugin } from 'graphql-yoga'
import { excessError } from './http-error.ts'

/** Rejects a JSON body of too many tokens before yoga parses it. Its length is yoga's to check. */
export function boundedBody(maxBodyBytes: number): Plugin {
  return {
    onRequestParse({ request, requestParser: parse, setRequestParser, fetchAPI: { Request } }) {
      // Without a body here, it was parsed before us.
      if (request.method !== 'POST' || !request.body || !parse) return
      setRequestParser(async (limited) => {
        // As text, which is there too where a parser before us, such as Express's, has read the bytes.
        const body = await limited.text()
        const scan = createJsonScan()
        if (!scan.add(Buffer.from(body))) throw excessError(scan.excess, maxBodyBytes)
        return parse(new Request(limited.url, { method: 'POST', headers: limited.headers, body }))
      })
    },
  }
}
