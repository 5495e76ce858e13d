#include "report/html_page.h"

#include "report/escape.h"

namespace geniepath::report {
namespace {

constexpr const char* kStyle = R"(
  body { margin: 0 auto; max-width: 1000px; padding: 24px 20px 60px; background: #fff; color: #1c2330;
         font: 15px/1.55 Helvetica, Arial, sans-serif; }
  h1 { font-size: 26px; margin: 8px 0 4px; }
  h2 { font-size: 19px; margin: 40px 0 8px; border-bottom: 1px solid #d5dae2; padding-bottom: 4px; }
  h3 { font-size: 16px; margin: 28px 0 6px; }
  p { max-width: 72ch; }
  .verdict { font-size: 17px; font-weight: 600; }
  figure { margin: 12px 0; overflow-x: auto; }
  svg { width: 100%; height: auto; }
  .charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(420px, 100%), 1fr)); gap: 20px; margin: 12px 0; }
  .table { overflow-x: auto; }
  table { border-collapse: collapse; margin: 12px 0; font-variant-numeric: tabular-nums; }
  caption { text-align: left; font-weight: 600; padding: 4px 0; }
  th, td { padding: 4px 14px 4px 0; text-align: left; border-bottom: 1px solid #e1e5ec; font-size: 14px; }
  td + td, .numbers th + th, thead th:nth-child(n + 3), .numbers th + td { text-align: right; }
  summary { cursor: pointer; }
  footer { margin-top: 48px; color: #4a5464; font-size: 13px; }
)";

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
         "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
         "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src "
         "'unsafe-inline'\">\n<title>" +
         html(title) + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<main>\n" + body +
         "</main>\n</body>\n</html>\n";
}

}  // namespace geniepath::report
