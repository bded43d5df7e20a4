#!/usr/bin/env node
import { run } from '@fairlead/create'
import { providerTemplate } from './index.ts'

await run(providerTemplate, process.argv.slice(2))
