import { Outlet } from '@tanstack/react-router'
import { useUser } from '../session/use-session.ts'
import { NotFound } from './not-found.tsx'

/** The pages of admins. To members, they do not exist. */
export function AdminOnly() {
  return useUser().role === 'admin' ? <Outlet /> : <NotFound />
}
