import type { AddressInfo } from 'node:net'
import express from 'express'
import { bareAnswer } from './instant-provider.ts'
import { reportUsage } from './report-usage.ts'

/** A bare Express 5 handler, as in its documentation: default settings, `express.json()`, `response.json()`. */
const app = express()
app.use(express.json())
app.post('/generate', (_request, response) => void response.json(bareAnswer()))
const server = app.listen(0, '127.0.0.1', () => reportUsage((server.address() as AddressInfo).port))
