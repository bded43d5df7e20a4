#!/usr/bin/env node
import { run } from '@fairlead/create'
import { appTemplate } from './index.ts'

await run(appTemplate, process.argv.slice(2))
