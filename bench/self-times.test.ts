import { describe, expect, test } from 'vitest'
import { sumSelfTimes } from './self-times.ts'

const root = 'file:///repository/'
const router = 'packages/core/src/gateway/routing/router.ts'

const samples: readonly (readonly [hits: number, functionName: string, url: string])[] = [
  [70, '(idle)', ''],
  [2, '(garbage collector)', ''],
  [3, 'IncomingMessage', 'node:_http_incoming'],
  [4, 'Readable.read', 'node:internal/streams/readable'],
  [5, 'parse', `${root}node_modules/.pnpm/@scope+name@1.0.0/node_modules/@scope/name/parse.js`],
  [6, 'tryTargets', root + router],
  [4, 'readStream', root + router],
  [1, 'writev', ''],
]
const native = samples.length - 1
const nodes = samples.map(([hitCount, functionName, url], id) => {
  const children = functionName === 'readStream' ? [native] : []
  return { id, hitCount, children, callFrame: { functionName, url, scriptId: '1', lineNumber: 9, columnNumber: 0 } }
})

describe('sumSelfTimes', () => {
  const { packages, folders, functions } = sumSelfTimes({ nodes, startTime: 0, endTime: 1 }, root)

  test('sumSelfTimes shares the busy time among packages, modules of Node.js, and V8', () => {
    expect(packages).toEqual([
      ['packages/core', 0.44],
      ['@scope/name', 0.2],
      ['node:stream', 0.16],
      ['node:http', 0.12],
      ['(garbage collector)', 0.08],
    ])
  })

  test('sumSelfTimes names the folders of the repository alone', () => {
    expect(folders).toEqual([['packages/core/src/gateway/routing', 0.44]])
  })

  test('sumSelfTimes names functions with their file and line', () => {
    expect(functions.slice(0, 2)).toEqual([
      [`tryTargets ${router}:10`, 0.24],
      ['parse @scope/name/parse.js:10', 0.2],
    ])
  })

  test('sumSelfTimes names a function of C++ with its caller, whose package it counts for', () => {
    expect(functions.at(-1)).toEqual([`writev, called in ${router}:10`, 0.04])
  })
})
