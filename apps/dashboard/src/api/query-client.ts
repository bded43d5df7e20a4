import { QueryClient } from '@tanstack/react-query'
import { isTemporary } from './api-error.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 3 && isTemporary(error),
    },
  },
})
