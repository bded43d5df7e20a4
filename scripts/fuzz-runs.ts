import { configureGlobal } from 'fast-check'

// For properties that do not set their own number of runs.
configureGlobal({ numRuns: Number(process.env['FUZZ_RUNS']) })
