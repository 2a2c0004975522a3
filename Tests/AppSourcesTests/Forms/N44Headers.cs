// The header that pins keys in browsers, as servers of .NET send it.
class HeaderServer
{
    private const string Spare = "vduvxDt5mhyuAlZH2GyLr30NZkpTRkcQBETkiJVp1rg=";

    public async Task Invoke(HttpContext context)
    {
        context.Response.Headers.Add("Public-Key-Pins", "pin-sha256=\"utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=\"; max-age=60");
        context.Response.Headers["Public-Key-Pins-Report-Only"] = $"pin-sha256=\"{Spare}\"; max-age=60";
        context.Response.AppendHeader("Public-Key-Pins", "pin-sha256=&quot;utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=&quot;; max-age=60");
        context.Response.Headers["X-Frame-Options"] = "DENY";
        var sent = context.Response.Headers["Public-Key-Pins"];
        await next.Invoke(context);
    }

    void Configure(IAppBuilder app) => app.UseHpkp(options => options.Sha256Pins("utmg5NIuXjXc321JwUBw4B1DNpJJkgnuJk88qs0RTVM=", Spare).MaxAge(days: 30));

    void Off(HttpContext context) => context.Response.Headers.Add("Public-Key-Pins", "max-age=0");
}
