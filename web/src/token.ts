// The server's token: typed, or taken once from the address (#token=...), and kept only for this tab.
const key = "geniepath-token";
let kept: string | null = null; // without storage, it lasts as long as the page

export function keep_token(token: string): void {
  kept = token;
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // no storage
  }
}

export function kept_token(): string | null {
  if (kept !== null) return kept;
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

// Removes the token from the address before it can be shared, bookmarked or seen.
export function take_token_from_address(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return;
  keep_token(given);
  history.replaceState(null, "", location.pathname + location.search);
}
