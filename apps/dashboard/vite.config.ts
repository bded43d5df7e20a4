import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './build/precompress.ts'
import { reportEntrySize } from './build/report-entry-size.ts'

const service = process.env['FAIRLEAD_URL'] ?? 'http://127.0.0.1:8080'

export default defineConfig(({ command }) => ({
  // Relative, so that the dashboard works behind a proxy that adds a path.
  base: command === 'build' ? './' : '/dashboard/',
  plugins: [react(), tailwindcss(), precompress(), reportEntrySize()],
  build: {
    target: 'es2024',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // A file inlined as a data URL would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'LICENSES.txt' },
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    // Everything else is the API of a running service.
    proxy: { '^/(?!dashboard)': { target: service } },
  },
}))
