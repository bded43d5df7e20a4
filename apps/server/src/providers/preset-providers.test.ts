import { describe, expect, test } from 'vitest'
import { findOllama, ollamaAddress } from './preset-providers.ts'

describe('the address of Ollama', () => {
  test.each([
    ['', 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['0.0.0.0:8000', 'http://127.0.0.1:8000'],
    [':8000', 'http://127.0.0.1:8000'],
    ['[::]', 'http://127.0.0.1:11434'],
    ['models.example.com', 'http://models.example.com:11434'],
    ['models.example.com:8000', 'http://models.example.com:8000'],
    ['[::1]:8000', 'http://[::1]:8000'],
    ['http://models.example.com', 'http://models.example.com'],
    ['https://models.example.com/', 'https://models.example.com'],
    ['https://models.example.com:8443/ollama/', 'https://models.example.com:8443/ollama'],
    [' 127.0.0.1:1 ', 'http://127.0.0.1:1'],
  ])('the address of Ollama is read as Ollama reads it: "%s"', (OLLAMA_HOST, address) => {
    expect(ollamaAddress({ OLLAMA_HOST })).toBe(address)
  })
})

describe('Ollama', () => {
  test('Ollama is probed on this machine alone', async () => {
    const asked: string[] = []
    const probe = async (url: string) => asked.push(url) > 0
    expect(await findOllama({}, probe)).toBe('it responds at http://127.0.0.1:11434')
    expect(asked).toEqual(['http://127.0.0.1:11434/api/version'])
  })

  test('Ollama is not probed where OLLAMA_HOST names it', async () => {
    const probe = async () => Promise.reject(new Error('asked'))
    expect(await findOllama({ OLLAMA_HOST: 'models.example.com' }, probe)).toBe('OLLAMA_HOST')
  })

  test('Ollama is disabled where nothing responds', async () => {
    expect(await findOllama({}, async () => false)).toBe(undefined)
  })
})
