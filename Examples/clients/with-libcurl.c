/* Asks a server whose key must be pinned, with libcurl: with-libcurl URL TRUST [PINS]
 *
 * The exit status is libcurl's own result: 60 the certificate is not acceptable, 90 no pin matches. */
#include <curl/curl.h>
#include <stdio.h>

int main(int count, char **words) {
    CURL *curl = curl_easy_init();
    if (count < 3 || !curl) return 2;
    curl_easy_setopt(curl, CURLOPT_URL, words[1]);
    curl_easy_setopt(curl, CURLOPT_CAINFO, words[2]);
    curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    if (count > 3) curl_easy_setopt(curl, CURLOPT_PINNEDPUBLICKEY, words[3]);
    CURLcode result = curl_easy_perform(curl);
    if (result != CURLE_OK) fprintf(stderr, "%s\n", curl_easy_strerror(result));
    curl_easy_cleanup(curl);
    return result;
}
